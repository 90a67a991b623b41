import * as z from 'zod';
import { defaultPort, portsOfTwins, twinFilesOf } from '../local/twin-files.ts';
import { exitCodes, Failure, usageFailure } from './failure.ts';
import type { Surroundings } from './surroundings.ts';

/**
 * Reads an origin.
 *
 * @throws Failure if a key would go there unencrypted.
 */
export function readServiceUrl(text: string): string {
  const url = URL.parse(text);
  const isLocal = url?.protocol === 'http:' && isLoopback(url);
  if (url === null || !(url.protocol === 'https:' || isLocal)) {
    throw usageFailure(
      `"${text}" isn't an https:// URL. Keys are sent over https only, except to this machine.`,
    );
  }
  return url.origin;
}

export const isLoopback = ({ hostname }: Pick<URL, 'hostname'>): boolean =>
  /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);

const twinSchema = z.object({
  baseUrl: z.url(),
  manageKey: z.string(),
  operatorSecret: z.string(),
  signingKey: z.object({ secretsManagerUrl: z.url(), secretId: z.string() }),
});

type Checkout = Pick<Surroundings, 'environment' | 'readCheckoutFile' | 'listCheckoutFolder'>;

/** The port that identifies a twin. */
export const givenPortOf = ({ environment }: Pick<Checkout, 'environment'>): string | undefined =>
  environment['PORT'] || undefined;

/**
 * The given port, or else the default one's twin, or else the only one.
 *
 * @throws Failure with their ports, if it could be any of several.
 */
function portOf(checkout: Checkout): string {
  const given = givenPortOf(checkout);
  if (given !== undefined) return given;
  const ports = portsOfTwins(checkout.listCheckoutFolder('.local'));
  if (ports.includes(defaultPort)) return defaultPort;
  const [port = defaultPort, ...others] = ports;
  if (others.length === 0) return port;
  throw usageFailure(
    `Several local servers run in this checkout: choose one with ${ports.map((one) => `PORT=${one}`).join(' or ')}, in front of the command.`,
  );
}

/** Written by the twin that runs in this checkout. */
export function findTwinFile(checkout: Checkout): z.output<typeof twinSchema> | undefined {
  const { stackFile } = twinFilesOf(portOf(checkout));
  const text = checkout.readCheckoutFile(stackFile);
  if (text === undefined) return undefined;
  try {
    return twinSchema.parse(JSON.parse(text));
  } catch {
    const message = `${stackFile} was written by another version of the service: stop it and start it again with npm start.`;
    throw new Failure(exitCodes.unavailable, 'unknown_twin', message);
  }
}
