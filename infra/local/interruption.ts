/** From now on, signals no longer end the process. */
export function onInterruption(act: () => void): void {
  // One Ctrl-C arrives twice, from the terminal and from npm, so the handler stays.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => act());
  // npm passes SIGTERM to the shell that runs the script, which just ends.
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    act();
  }, 250);
  watch.unref();
}

export function untilInterrupted(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  onInterruption(resolve);
  return promise;
}
