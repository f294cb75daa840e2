import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { settings } from "./lib/stores/settings.svelte";

// The theme and the language are known before the first frame: nothing flashes, nothing jumps.
await settings.apply();
mount(App, { target: document.getElementById("app")! });
void settings.load();
