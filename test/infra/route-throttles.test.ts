import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endpointOf, routes } from '../../functions/routes.ts';
import {
  defaultThrottleOf,
  routeAudiences,
  throttleOf,
} from '../../infra/constructs/route-throttles.ts';

const inNewAccount = { lambdaConcurrency: 10 };
const concurrencies = fc.integer({ min: 10, max: 100_000 });

const keysOf = (audience: string): string[] =>
  [...routeAudiences].flatMap(([key, one]) => (one === audience ? [key] : []));

/** What strangers can ask of all routes together that need no key, a second. */
const askedByStrangers = (settings: typeof inNewAccount): number =>
  [
    ...keysOf('links').map(() => 'links' as const),
    ...keysOf('strangers').map(() => 'strangers' as const),
  ].reduce((sum, audience) => sum + (throttleOf(audience, settings)?.rateLimit ?? 0), 0);

describe('the throttle of a route', () => {
  it('is the stage’s own for each route that programs ask per email, and no other', () => {
    expect(keysOf('sending').toSorted()).toEqual(
      [
        'POST /api/v1/attachments',
        'POST /api/v1/emails/batch',
        'POST /api/v1/emails/send',
        'POST /api/v1/emails/send-global',
        'POST /api/v1/sends/{id}/resend',
        'POST /api/v1/templates/{id}/render',
        'POST /postmark/email',
        'POST /postmark/email/batch',
        'POST /postmark/email/batchWithTemplates',
        'POST /postmark/email/withTemplate',
        'POST /postmark/email/withTemplate/{rest+}',
        'POST /resend/emails',
        'POST /resend/emails/batch',
      ].toSorted(),
    );
  });

  it('of a route that manages is a twentieth, and its burst lets a page of the console load', () => {
    expect(throttleOf('managing', inNewAccount)).toEqual({ rateLimit: 5, burstLimit: 20 });
    expect(throttleOf('managing', { lambdaConcurrency: 1_000 })).toEqual({
      rateLimit: 50,
      burstLimit: 1_250,
    });
  });

  it('follows from who may call it: each route without a key or secret has a lower one', () => {
    const withoutKey: string[] = [];
    for (const { method, path, functionName } of routes) {
      const { access } = endpointOf(functionName);
      const needsKey = typeof access === 'object' && access.key === 'required';
      if (!needsKey && access !== 'operator_secret' && access !== 'cron_secret') {
        withoutKey.push(`${method} ${path}`);
      }
    }

    const throttled = [...keysOf('links'), ...keysOf('strangers')];

    expect(throttled.sort()).toEqual([...withoutKey, '$default'].sort());
  });

  it('lets links and optional keys take more than documents and paths that no route has', () => {
    expect(keysOf('links')).toEqual(
      expect.arrayContaining([
        'GET /t/c/{token}',
        'POST /api/unsubscribe',
        'GET /api/v1/sends/{id}',
      ]),
    );
    expect(keysOf('strangers')).toEqual(
      expect.arrayContaining([
        '$default',
        'GET /docs',
        'GET /openapi.json',
        'POST /console/session',
      ]),
    );
  });

  it('never lets strangers hold half of what may run, at 30 ms a request', () => {
    fc.assert(
      fc.property(concurrencies, (lambdaConcurrency) => {
        const held = askedByStrangers({ lambdaConcurrency }) * 0.03;

        expect(held).toBeLessThan(lambdaConcurrency / 2);
      }),
    );
  });

  it('is lower for strangers than for those who show a key', () => {
    fc.assert(
      fc.property(concurrencies, (lambdaConcurrency) => {
        const settings = { lambdaConcurrency };
        const rates = [
          throttleOf('strangers', settings)?.rateLimit ?? Number.NaN,
          throttleOf('links', settings)?.rateLimit ?? Number.NaN,
          defaultThrottleOf(settings).rateLimit,
        ];

        expect(rates).toEqual(rates.toSorted((one, other) => one - other));
        expect(new Set(rates).size).toBe(3);
      }),
    );
  });

  it('lets as many people at once follow a link as a route with a key takes requests, each asked for twice', () => {
    expect(throttleOf('links', inNewAccount)?.burstLimit).toBe(
      2 * defaultThrottleOf(inNewAccount).burstLimit,
    );
  });

  it('of keyed routes follows what the account may run, up to 1,000 a second', () => {
    expect(defaultThrottleOf(inNewAccount)).toEqual({ rateLimit: 100, burstLimit: 20 });
    expect(defaultThrottleOf({ lambdaConcurrency: 1_000 })).toEqual({
      rateLimit: 1_000,
      burstLimit: 1_250,
    });
  });

  it('is what the deployment says', () => {
    const settings = { ...inNewAccount, apiRequestsPerSecond: 50, apiBurst: 80 };

    expect(defaultThrottleOf(settings)).toEqual({ rateLimit: 50, burstLimit: 80 });
    expect(throttleOf('links', { ...settings, linkRequestsPerSecond: 200 })).toEqual({
      rateLimit: 200,
      burstLimit: 160,
    });
  });
});
