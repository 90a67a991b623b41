/** Once called, signals no longer end the process. */
export function untilInterrupted(): Promise<void> {
  const { promise, resolve: end } = Promise.withResolvers<void>();
  // One Ctrl-C arrives twice, from the terminal and from npm, so the handler stays.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end());
  // npm passes SIGTERM to the shell that runs the script, which just ends.
  if (process.env['npm_lifecycle_event'] === undefined) return promise;
  const parent = process.ppid;
  const watch = setInterval(() => process.ppid !== parent && end(), 250);
  return promise.finally(() => clearInterval(watch));
}
