import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BackgroundFunction, Trigger } from '#shared/endpoints/background-function';
import type { Endpoint } from '#shared/endpoints/endpoint';
import { backgroundFunctions, declaringFunctions } from '../../functions/endpoints.ts';
import { endpointNames, endpointOf } from '../../functions/routes.ts';

const root = join(import.meta.dirname, '../..');

/** The modules whose functions turn an endpoint or a background function into a Lambda handler. */
const servers = {
  serve: 'endpoints/serve',
  serveUnadmitted: 'endpoints/serve',
  servePage: 'endpoints/serve-page',
  serveFile: 'endpoints/serve-file',
  serveOperator: 'endpoints/serve-secret',
  serveCron: 'endpoints/serve-secret',
  serveResend: 'resend/serve-resend',
  serveResendEmail: 'resend/serve-resend',
  servePostmark: 'postmark/serve-postmark',
  servePostmarkUnadmitted: 'postmark/serve-postmark',
  serveQueue: 'endpoints/serve-background',
  serveStream: 'endpoints/serve-background',
  serveEvent: 'endpoints/serve-background',
  serveSchedule: 'endpoints/serve-background',
  serveCustomResource: 'endpoints/serve-background',
  serveUnmatched: 'endpoints/serve-file',
} as const;
type Server = keyof typeof servers;

/** Chosen by what answers, how callers authenticate, and the form of errors. */
function serverOf({ access, admitsInOperation, errorForm, file, isForPeople }: Endpoint): Server {
  if (file !== undefined) return 'serveFile';
  if (isForPeople) return 'servePage';
  if (access === 'operator') return 'serveOperator';
  if (access === 'cron_secret') return 'serveCron';
  if (errorForm === 'resend') return admitsInOperation ? 'serveResendEmail' : 'serveResend';
  if (errorForm === 'postmark')
    return admitsInOperation ? 'servePostmarkUnadmitted' : 'servePostmark';
  return admitsInOperation ? 'serveUnadmitted' : 'serve';
}

const serverByTrigger: Readonly<Record<Trigger, Server>> = {
  'webhook-queue': 'serveQueue',
  'test-events': 'serveQueue',
  'send-queue': 'serveQueue',
  'table-stream': 'serveStream',
  'provider-events': 'serveEvent',
  'event-rule': 'serveEvent',
  'alarm-topic': 'serveEvent',
  schedule: 'serveSchedule',
  'custom-resource': 'serveCustomResource',
  'http-api': 'serveUnmatched',
};

const inBackground: Readonly<Record<string, BackgroundFunction>> = {
  ...backgroundFunctions,
  ...declaringFunctions,
};

/**
 * What a Lambda's entry imports: the name of the server and its module in `shared/`, and what it serves.
 *
 * @throws Error if there's nothing to serve.
 */
export function servingOf(functionName: string) {
  const name = endpointNames.find((one) => one === functionName);
  const served = name === undefined ? inBackground[functionName] : endpointOf(name);
  if (served === undefined || !('run' in served)) {
    throw new Error(`functions/${functionName} has nothing that runs`);
  }
  const server = 'trigger' in served ? serverByTrigger[served.trigger] : serverOf(served);
  return { server, module: servers[server], served };
}

/**
 * The entry points of the functions' bundles: generated files that serve them.
 *
 * @param outdir where the bundles go. Source maps name an entry by its path from there, so a bundle that hasn't changed
 *   has the same bytes in each deployment.
 */
export function writeLambdaEntries(outdir: string) {
  const folder = join(outdir, 'entries');
  mkdirSync(folder, { recursive: true });
  return {
    entryOf(name: string): string {
      const { server, module, served } = servingOf(name);
      const value = 'trigger' in served ? 'backgroundFunction' : 'endpoint';
      const entry = join(folder, `${name}.ts`);
      const lines = [
        `import { ${server} } from '${root}/shared/${module}.ts';`,
        `import { ${value} } from '${root}/functions/${name}/${name}.ts';`,
        `export const handler = ${server}(${value});`,
      ];
      writeFileSync(entry, `${lines.join('\n')}\n`);
      return entry;
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
