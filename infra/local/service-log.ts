import { mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * From now on what this process writes to stdout and stderr goes to the file, as a Lambda's goes to
 * CloudWatch: the functions log a few lines of JSON per request, which nobody who reads the
 * instructions wants between them.
 *
 * @returns writes to the terminal all the same.
 */
export function redirectOutput(file: string): (text: string) => void {
  // Opened with the first line: a twin that finds its port taken leaves the log of the other one alone.
  let log: number | undefined;
  const openLog = (): number => {
    mkdirSync(dirname(file), { recursive: true });
    return openSync(file, 'w');
  };
  const writeToTerminal = process.stdout.write.bind(process.stdout);
  for (const stream of [process.stdout, process.stderr]) {
    stream.write = (chunk: string | Uint8Array): boolean => {
      log ??= openLog();
      writeSync(log, typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
      return true;
    };
  }
  return (text) => {
    writeToTerminal(text);
  };
}
