import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Endpoint } from '#shared/endpoints/endpoint';
import type { Served } from '#shared/endpoints/serve';
import { endpointNames, endpointOf } from '../../functions/routes.ts';

const root = join(import.meta.dirname, '../..');

/** The modules whose functions turn an endpoint into a Lambda handler. */
const servers = {
  serve: 'endpoints/serve',
  serveUnadmitted: 'endpoints/serve',
  servePage: 'endpoints/serve-page',
  serveOperator: 'endpoints/serve-secret',
  serveResend: 'resend/serve-resend',
  serveResendEmail: 'resend/serve-resend',
  servePostmark: 'postmark/serve-postmark',
  servePostmarkUnadmitted: 'postmark/serve-postmark',
} as const;

/** Chosen by how callers authenticate, and by the form of errors. */
export function serverOf({
  access,
  admitsItself,
  errorForm,
  isForPeople,
}: Endpoint): keyof typeof servers {
  if (isForPeople) return 'servePage';
  if (access === 'operator_secret') return 'serveOperator';
  if (errorForm === 'resend') return admitsItself ? 'serveResendEmail' : 'serveResend';
  if (errorForm === 'postmark') return admitsItself ? 'servePostmarkUnadmitted' : 'servePostmark';
  return admitsItself ? 'serveUnadmitted' : 'serve';
}

/** A function that does more than serve an endpoint has its own handler. */
export function ownHandlerOf(name: string): string | undefined {
  const file = `functions/${name}/handler.ts`;
  return existsSync(join(root, file)) ? file : undefined;
}

/** @throws Error if there's nothing to serve. */
export function servedEndpoint(name: string): Served {
  const served = endpointNames.find((one) => one === name);
  const endpoint = served && endpointOf(served);
  if (endpoint === undefined || !isServed(endpoint)) {
    throw new Error(`functions/${name} has neither an endpoint that runs nor a handler`);
  }
  return endpoint;
}

const isServed = (endpoint: Endpoint): endpoint is Served => 'run' in endpoint;

/** The entry points of the functions' bundles: their own handlers, or generated files that serve their endpoints. */
export function writeLambdaEntries() {
  const folder = mkdtempSync(join(tmpdir(), 'entries-'));
  return {
    entryOf(name: string): string {
      const own = ownHandlerOf(name);
      if (own !== undefined) return own;
      const server = serverOf(servedEndpoint(name));
      const entry = join(folder, `${name}.ts`);
      const lines = [
        `import { ${server} } from '${root}/shared/${servers[server]}.ts';`,
        `import { endpoint } from '${root}/functions/${name}/${name}.ts';`,
        `export const handler = ${server}(endpoint);`,
      ];
      writeFileSync(entry, `${lines.join('\n')}\n`);
      return entry;
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
