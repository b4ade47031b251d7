// The current view. The address contains it, so that links, bookmarks and the back button work.
import { takeToken } from "./api";
import { Ask } from "./ask";
import { CharterView } from "./charter";
import { LedgerView } from "./ledger";
import { follow } from "./live";
import { Overview } from "./overview";
import { PolicyView } from "./policy";
import { RunsView } from "./runs";
import { Store } from "./store";

export const views = [
  { path: "overview", title: "Overview", View: Overview },
  { path: "ask", title: "Ask", View: Ask },
  { path: "charter", title: "Charter", View: CharterView },
  { path: "runs", title: "Runs", View: RunsView },
  { path: "ledger", title: "Ledger", View: LedgerView },
  { path: "policy", title: "Policy", View: PolicyView },
];

const here = () => views.find((one) => location.hash === `#/${one.path}`) ?? views[0]!;

export const view = new Store(here());

addEventListener("hashchange", () => {
  if (takeToken()) follow();
  view.set(here());
});
