import { render } from "preact";
import "../shared/theme.css";

render(<h1>Tacit</h1>, document.getElementById("page")!);
