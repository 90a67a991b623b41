import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';

const consoleFileSchema = z.object({
  contentType: z.string(),
  text: z.string(),
  /** In base64, both. */
  gzip: z.string(),
  br: z.string(),
});
export type ConsoleFile = Readonly<z.infer<typeof consoleFileSchema>>;

/** The console as it was built together with its function. */
const consoleFilesSchema = z.object({
  /** The page that every address of the console answers. */
  shell: consoleFileSchema,
  /** Scripts and styles, by names that their content decides. */
  assets: z.record(z.string(), consoleFileSchema),
});
export type ConsoleFiles = Readonly<z.infer<typeof consoleFilesSchema>>;

/** Opens the files. They are read at the first request. */
export function openConsoleFiles(folder: string): () => ConsoleFiles {
  let files: ConsoleFiles | undefined;
  return () => {
    files ??= consoleFilesSchema.parse(
      JSON.parse(readFileSync(join(folder, 'console.json'), 'utf8')),
    );
    return files;
  };
}
