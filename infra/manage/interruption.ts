/** Resolves when the process is told to end. From the first call on, that doesn't end it. */
export function untilInterrupted(): Promise<void> {
  const { promise, resolve: end } = Promise.withResolvers<void>();
  // One Ctrl-C arrives twice, from the terminal and once more from npm: so the handler stays.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end());
  // npm hands SIGTERM on to the shell that it runs the script in, and the shell to nobody: it just ends.
  if (process.env['npm_lifecycle_event'] === undefined) return promise;
  const parent = process.ppid;
  const watch = setInterval(() => process.ppid !== parent && end(), 250);
  return promise.finally(() => clearInterval(watch));
}
