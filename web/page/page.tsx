import { render } from "preact";
import "../shared/theme.css";
import { takeToken } from "./api";
import { App } from "./app";
import { follow } from "./live";
import "./page.css";
import "./tables.css";
import "./asking.css";

takeToken();
follow();
render(<App />, document.getElementById("page")!);
