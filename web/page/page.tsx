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

// A file that is dropped beside its box must not take the page's place.
for (const kind of ["dragover", "drop"]) addEventListener(kind, (event) => event.preventDefault());
