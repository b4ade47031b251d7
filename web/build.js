// Builds the sources into a folder (node build.js FOLDER): the agent's page as several files, the report as one
// self-contained file.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const jsx = { jsx: "automatic", jsxImportSource: "preact" };
const common = { configFile: false, logLevel: "warn", esbuild: jsx };

const into = resolve(process.argv[2] ?? here("built"));
await rm(into, { recursive: true, force: true });

// File names without hashes: the agent makes browsers revalidate each file, and diffs of web/built stay readable.
await build({
  ...common,
  root: here("page"),
  base: "./",
  build: {
    outDir: join(into, "page"),
    emptyOutDir: true,
    modulePreload: false,
    assetsInlineLimit: 0,
    rollupOptions: {
      output: { entryFileNames: "[name].js", chunkFileNames: "[name].js", assetFileNames: "[name][extname]" },
    },
  },
});

const { output } = await build({
  ...common,
  root: here("report"),
  build: {
    write: false,
    cssCodeSplit: false,
    rollupOptions: { input: here("report/report.tsx"), output: { inlineDynamicImports: true } },
  },
});
const text = (ending) => output.filter((one) => one.fileName.endsWith(ending)).map((one) => one.code ?? one.source).join("\n");
const { template } = await import("./report/template.js");
await mkdir(into, { recursive: true });
await writeFile(join(into, "report.html"), template(text(".css"), text(".js").replaceAll("</script", "<\\/script")));
