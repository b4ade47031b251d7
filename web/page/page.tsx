import { render } from "preact";
import "../shared/theme.css";
import { takeToken } from "./api";
import { App } from "./app";
import { followWhileSeen } from "./live";
import "./page.css";
import "./tables.css";
import "./asking.css";

takeToken();
followWhileSeen();
render(<App />, document.getElementById("page")!);

// Without this, the browser would replace the page with a file that is dropped outside the drop area.
for (const kind of ["dragover", "drop"]) addEventListener(kind, (event) => event.preventDefault());
