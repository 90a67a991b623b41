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
    ...keysOf('signingIn').map(() => 'signingIn' as const),
  ].reduce((sum, audience) => sum + (throttleOf(audience, settings)?.rateLimit ?? 0), 0);

describe('the throttle of a route', () => {
  it("is the stage's default for routes called per email, and only for them", () => {
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

  it('is a twentieth on management routes, with enough burst to load a console page', () => {
    expect(throttleOf('managing', inNewAccount)).toEqual({ rateLimit: 5, burstLimit: 20 });
    expect(throttleOf('managing', { lambdaConcurrency: 1_000 })).toEqual({
      rateLimit: 50,
      burstLimit: 1_250,
    });
  });

  it('is lower on every route without a key, session or secret', () => {
    const withoutKey: string[] = [];
    for (const { method, path, functionName } of routes) {
      const { access } = endpointOf(functionName);
      const needsKey =
        typeof access === 'object' ? access.key === 'required' : access !== 'anybody';
      if (!needsKey) {
        withoutKey.push(`${method} ${path}`);
      }
    }

    const throttled = [...keysOf('links'), ...keysOf('strangers'), ...keysOf('signingIn')];

    expect(throttled.sort()).toEqual([...withoutKey, '$default'].sort());
  });

  it('is higher for links and optional keys than for documents and unknown paths', () => {
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
        'GET /console/{proxy+}',
      ]),
    );
  });

  it('is low on each route that signs in, so that more of them slow no page of the console down', () => {
    expect(keysOf('signingIn')).toEqual(
      expect.arrayContaining(['POST /console/session', 'POST /console/sign-in']),
    );
    expect(throttleOf('signingIn', inNewAccount)).toEqual({ rateLimit: 1, burstLimit: 10 });
    expect(throttleOf('strangers', inNewAccount)?.rateLimit).toBeGreaterThanOrEqual(2);
  });

  it('never lets strangers occupy half of the concurrency, at 30 ms per request', () => {
    fc.assert(
      fc.property(concurrencies, (lambdaConcurrency) => {
        const held = askedByStrangers({ lambdaConcurrency }) * 0.03;

        expect(held).toBeLessThan(lambdaConcurrency / 2);
      }),
    );
  });

  it('is lower for strangers than for callers with a key', () => {
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

  it('lets as many people follow a link at once as a keyed route takes requests, even if each tries twice', () => {
    expect(throttleOf('links', inNewAccount)?.burstLimit).toBe(
      2 * defaultThrottleOf(inNewAccount).burstLimit,
    );
  });

  it("scales with the account's concurrency on keyed routes, up to 1,000 a second", () => {
    expect(defaultThrottleOf(inNewAccount)).toEqual({ rateLimit: 100, burstLimit: 20 });
    expect(defaultThrottleOf({ lambdaConcurrency: 1_000 })).toEqual({
      rateLimit: 1_000,
      burstLimit: 1_250,
    });
  });

  it('can be set by the deployment', () => {
    const settings = { ...inNewAccount, apiRequestsPerSecond: 50, apiBurst: 80 };

    expect(defaultThrottleOf(settings)).toEqual({ rateLimit: 50, burstLimit: 80 });
    expect(throttleOf('links', { ...settings, linkRequestsPerSecond: 200 })).toEqual({
      rateLimit: 200,
      burstLimit: 160,
    });
  });
});
