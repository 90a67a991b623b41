import * as z from 'zod';
import { defaultPort, twinFilesOf } from '../local/twin-files.ts';
import { exitCodes, Failure, usageFailure } from './failure.ts';
import type { Surroundings } from './surroundings.ts';

/**
 * An origin.
 *
 * @throws Failure when a key would go there unencrypted.
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

type Checkout = Pick<Surroundings, 'environment' | 'readCheckoutFile'>;

export const stackFileOf = ({ environment }: Checkout): string =>
  twinFilesOf(environment['PORT'] || defaultPort).stackFile;

/** From the twin that runs in this checkout. */
export function findTwinFile(checkout: Checkout): z.output<typeof twinSchema> | undefined {
  const stackFile = stackFileOf(checkout);
  const text = checkout.readCheckoutFile(stackFile);
  if (text === undefined) return undefined;
  try {
    return twinSchema.parse(JSON.parse(text));
  } catch {
    const message = `${stackFile} was written by another version of the service: stop it and start it again with npm start.`;
    throw new Failure(exitCodes.unavailable, 'unknown_twin', message);
  }
}
