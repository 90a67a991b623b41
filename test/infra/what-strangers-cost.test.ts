import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { maxAnswerBytes } from '#shared/endpoints/built-file';
import { consoleFilesSchema } from '../../functions/show-console/show-console.ts';
import { docsFilesSchema } from '../../functions/show-docs/show-docs.ts';
import { buildFile } from '../../infra/built-files/build-files.ts';
import { routeAudiences } from '../../infra/constructs/route-throttles.ts';
import { openAlarm } from './alarm-state.ts';
import {
  resourceAt,
  resourcesOfType,
  type SynthesisedStack,
  synthesiseStack,
} from './synthesised-stack.ts';

const root = join(import.meta.dirname, '../..');
const readme = readFileSync(join(root, 'infra/README.md'), 'utf8');

const throttle = z.object({ ThrottlingRateLimit: z.number() });
const stageShape = z.object({
  DefaultRouteSettings: throttle,
  RouteSettings: z.record(z.string(), throttle),
});

/** Milliseconds of an execution: of a link or page with its reads and writes, and of a made-up key, with one read. */
const held = { open: 30, refused: 10 } as const;
/** An account's, unless AWS raised it; a quarter in some Regions (API Gateway guide, "Amazon API Gateway quotas"). */
const requestsOfAccount = 10_000;

/**
 * Dollars in us-east-1, without free tiers, as in `test/bench/cost.ts`; and for a GB that leaves AWS
 * (aws.amazon.com/ec2/pricing/on-demand, "Data Transfer", the first 10 TB a month).
 */
const price = {
  requests: 1.0e-6 + 0.2e-6,
  gbSecond: 0.0000133334,
  writeUnit: 0.625e-6,
  readUnit: 0.125e-6,
  logGb: 0.5,
  transferGb: 0.09,
} as const;
const functionGb = 0.5;
/** A line of the access log, and one of the function. */
const logGbOfRequest = 800 / 1e9;

const always = price.requests + logGbOfRequest * price.logGb;
const computing = (ms: number) => (ms / 1_000) * functionGb * price.gbSecond;
/** A link that counts a hit reads and writes twice at most. */
const priceOf = {
  links: always + computing(held.open) + 2 * price.readUnit + 2 * price.writeUnit,
  strangers: always + computing(held.open),
  keyed: always + computing(held.refused) + 2 * price.readUnit,
} as const;

type Kind = keyof typeof priceOf;

/** Every route that is deployed, with the requests a second that its stage takes of it. */
function routesOf(stack: SynthesisedStack) {
  const { DefaultRouteSettings, RouteSettings } = stageShape.parse(
    resourceAt(stack, 'HttpApi/DefaultStage').Properties,
  );
  const routes = resourcesOfType(stack, 'AWS::ApiGatewayV2::Route').map(({ Properties }) => {
    const key = String(Properties['RouteKey']);
    const audience = routeAudiences.get(key);
    const isOpen = audience === 'strangers' || audience === 'signingIn';
    const kind: Kind = audience === 'links' ? 'links' : isOpen ? 'strangers' : 'keyed';
    return {
      key,
      kind,
      perSecond: (RouteSettings[key] ?? DefaultRouteSettings).ThrottlingRateLimit,
    };
  });
  const perSecond = (...kinds: readonly Kind[]) =>
    routes
      .filter(({ kind }) => kinds.includes(kind))
      .reduce((sum, route) => sum + route.perSecond, 0);
  /** Executions that strangers hold through the routes without a key. */
  const busy = () => (perSecond('links', 'strangers') * held.open) / 1_000;
  return { stack, routes, perSecond, busy };
}

const daySeconds = 86_400;
const dollarsADay = ({ perSecond }: ReturnType<typeof routesOf>, ...kinds: readonly Kind[]) =>
  kinds.reduce((sum, kind) => sum + perSecond(kind) * priceOf[kind] * daySeconds, 0);

const largest = (sizes: readonly number[]) => Math.max(...sizes);
const answersOf = async (name: 'docs.json' | 'console.json' | 'openapi.json' | 'llms.txt') => {
  const built: unknown = JSON.parse(await buildFile(name));
  const files =
    name === 'docs.json'
      ? Object.values(docsFilesSchema.parse(built).files).map(({ gzip, bytes }) => ({
          gzip,
          bytes,
        }))
      : name === 'console.json'
        ? Object.values(consoleFilesSchema.parse(built).assets).map(({ gzip, text }) => ({
            gzip,
            bytes: Buffer.byteLength(text),
          }))
        : [z.object({ gzip: z.string(), bytes: z.number() }).parse(built)];
  return files.map(({ gzip, bytes }) =>
    bytes <= maxAnswerBytes ? bytes : Buffer.byteLength(gzip, 'base64'),
  );
};
const [docs, app] = [await answersOf('docs.json'), await answersOf('console.json')];
const answers = {
  'GET /docs': docs,
  'GET /docs/{page+}': docs,
  'GET /console': app,
  'GET /console/{proxy+}': app,
  'GET /openapi.json': await answersOf('openapi.json'),
  'GET /llms.txt': await answersOf('llms.txt'),
};
/** Other answers to strangers are pages of a few KB. */
const bytesOfPage = 8_192;

/** Of routes that need no key, when each is asked for the largest it has. */
function bytesOut({ routes }: ReturnType<typeof routesOf>): number {
  const sizes = new Map(Object.entries(answers).map(([key, bytes]) => [key, largest(bytes)]));
  return routes
    .filter(({ kind }) => kind !== 'keyed')
    .reduce((sum, { key, perSecond }) => sum + perSecond * (sizes.get(key) ?? bytesOfPage), 0);
}
const transferADay = (bytesPerSecond: number) =>
  (bytesPerSecond / 1e9) * price.transferGb * daySeconds;

/** With a new account's ten executions. */
const few = routesOf(synthesiseStack());
const many = routesOf(synthesiseStack({ lambdaConcurrency: 1_000 }));
const rounded = (value: number) => Math.round(value).toLocaleString('en-US');

describe('strangers who flood the API', () => {
  it('occupy less than half of the concurrency through all keyless routes', () => {
    for (const [routes, executions] of [
      [few, 10],
      [many, 1_000],
    ] as const) {
      expect(routes.busy()).toBeLessThan(executions / 2);
    }
  });

  it('occupy less than a fifth of 1,000 executions, even with made-up keys on all routes', () => {
    const open = many.perSecond('links', 'strangers');
    const keyed = Math.min(many.perSecond('keyed'), requestsOfAccount - open);

    const busy = many.busy() + (keyed * held.refused) / 1_000;

    expect(busy).toBeLessThan(200);
  });

  it('can occupy all ten executions of a new account with made-up keys, as the README says', () => {
    const needed = ((10 - few.busy()) * 1_000) / held.refused;

    expect(few.perSecond('keyed')).toBeGreaterThan(needed);
    expect(readme).toContain(`some ${rounded(Math.round(needed / 50) * 50)} requests a second`);
  });

  it('cost what the README says, including transfer', () => {
    const open = dollarsADay(few, 'links', 'strangers') + transferADay(bytesOut(few));
    const keyed = dollarsADay(few, 'keyed');

    expect(readme).toContain(`$${rounded(open)} a day`);
    expect(readme).toContain(`$${rounded(keyed)} more`);
  });

  it('ring an alarm within ten minutes, and cost less than the README says below its threshold', () => {
    const { rings } = openAlarm(few.stack, 'Alarms/http-requests');
    const flood = few.perSecond('links', 'strangers') * 300;
    const quiet = 49 * 300;

    const dollars = 49 * priceOf.links * daySeconds + transferADay(bytesOut(few));

    expect(rings({ 'Sum Count ApiId=HttpApi/Api': [flood] })).toBe(true);
    expect(rings({ 'Sum Count ApiId=HttpApi/Api': [quiet] })).toBe(false);
    expect(readme).toContain(`at most $${rounded(dollars)} a day`);
  });

  it.each(Object.entries(answers))('get at most 128 KB per response from %s', (_, sizes) => {
    expect(largest(sizes)).toBeLessThanOrEqual(maxAnswerBytes);
  });

  it('ring an alarm when the API moves far more bytes per request than usual', () => {
    const { rings, metrics } = openAlarm(few.stack, 'Alarms/http-bytes');
    const [metric = ''] = metrics;

    expect(metric).toContain('DataProcessed');
    expect(rings({ [metric]: [300 * 50 * 5_000] })).toBe(false);
    expect(rings({ [metric]: [300 * 50 * 40_000] })).toBe(true);
  });

  it('ring an alarm when API Gateway, not a function, refuses 100 requests', () => {
    const { rings, metrics } = openAlarm(few.stack, 'Alarms/requests-throttled');
    const [metric = ''] = metrics;
    const filter = resourceAt(few.stack, 'HttpApi/Throttled').Properties;

    expect(filter['FilterPattern']).toBe('{ ($.status = "429") && ($.integrationStatus = "-") }');
    expect(rings({ [metric]: [99] })).toBe(false);
    expect(rings({ [metric]: [100] })).toBe(true);
  });
});
