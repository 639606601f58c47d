// The dashboard's beginning: the styles, the session, the page. Everything else is loaded when its screen is opened.
// It must never draw anything before it knows who looks.
import "./style/tokens.css";
import "./style/base.css";
import "./style/parts.css";
import "./style/shell.css";
import "./style/runs.css";
import { render } from "preact";
import { Shell } from "./app/shell.tsx";
import { startSession } from "./data/session.ts";

render(<Shell />, document.getElementById("app")!);
void startSession();
