/** Milliseconds of CPU that work takes in this process. How busy the machine is doesn't count. */
export function computingMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
