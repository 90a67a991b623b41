export const defaultPort = '3000';

/** The files of the twin of a port, in the checkout. Two twins share none, so neither overwrites or deletes the other's. */
export function twinFilesOf(port: string) {
  const suffix = port === defaultPort ? '' : `-${port}`;
  return {
    stackFile: `.local/stack${suffix}.json`,
    logFile: `.local/service${suffix}.log`,
    dataFolder: `.local/data/${port}`,
  };
}
