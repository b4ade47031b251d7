import * as Plot from "@observablehq/plot";
import { render } from "preact";
import "../shared/theme.css";

console.log(Plot.dot);
render(<h1>Tacit</h1>, document.getElementById("report")!);
