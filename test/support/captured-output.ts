import { onTestFinished, vi } from 'vitest';

/** Catches all that is written to stdout and stderr from now on until the test ends. */
export function captureOutput(): { readonly text: () => string } {
  const chunks: string[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    const write = vi.spyOn(stream, 'write').mockImplementation((chunk) => {
      chunks.push(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
      return true;
    });
    onTestFinished(() => write.mockRestore());
  }
  return { text: () => chunks.join('') };
}
