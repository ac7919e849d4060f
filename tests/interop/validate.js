// The Khronos validator over the files named: one line for each error and warning, and their number as the exit status.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import validator from "gltf-validator";

let found = 0;
for (const file of process.argv.slice(2)) {
  const report = await validator.validateBytes(new Uint8Array(readFileSync(file)), {
    uri: file,
    maxIssues: 1000,
    externalResourceFunction: async (uri) => new Uint8Array(readFileSync(join(dirname(file), decodeURIComponent(uri)))),
  });
  for (const { code, severity, message, pointer } of report.issues.messages) {
    if (severity <= 1) {
      found += 1;
      console.log(`${file}: ${severity === 0 ? "error" : "warning"} ${code} ${pointer ?? ""}: ${message}`);
    }
  }
}
process.exitCode = Math.min(found, 100);
