import { svelte } from "@sveltejs/vite-plugin-svelte";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const server = process.env.DAMIER_SERVER ?? "http://127.0.0.1:8000";

// The build goes inside the Python package, so that a wheel carries it and users need no Node.
export default defineConfig({
  plugins: [svelte()],
  resolve: { alias: { $lib: fileURLToPath(new URL("./src/lib", import.meta.url)) } },
  build: {
    outDir: "../python/damier/web/static",
    emptyOutDir: true,
    assetsInlineLimit: 0, // data: URLs would need a wider content security policy
    modulePreload: { polyfill: false },
    // What the first page needs is one file: a dozen small ones take longer than their bytes.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "app", test: /src\/main\.ts$/ }] } } },
  },
  server: { proxy: { "/api": server, "/ws": { target: server, ws: true } } },
  test: { include: ["src/**/*.test.ts"] },
});
