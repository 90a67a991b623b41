import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRouteThrottle } from '../../../../infra/local/gateway/throttles.ts';

function openThrottle(rateLimit: number, burstLimit: number) {
  const clock = { now: 0 };
  const mayPass = createRouteThrottle(
    () => ({ rateLimit, burstLimit }),
    () => clock.now,
  );
  const passing = (routeKey: string, requests: number): number =>
    Array.from({ length: requests }, () => mayPass(routeKey)).filter(Boolean).length;
  return { clock, passing };
}

describe('the throttle of a route', () => {
  it('lets a burst pass, and refuses the request after it', () => {
    const { passing } = openThrottle(2, 10);

    expect(passing('GET /docs', 22)).toBe(10);
  });

  it('lets requests pass at its rate after a burst', () => {
    const { clock, passing } = openThrottle(2, 10);
    passing('GET /docs', 10);

    clock.now += 499;
    expect(passing('GET /docs', 3)).toBe(0);
    clock.now += 1;
    expect(passing('GET /docs', 3)).toBe(1);
    clock.now += 60_000;
    expect(passing('GET /docs', 30)).toBe(10);
  });

  it('counts each route separately', () => {
    const { passing } = openThrottle(2, 10);
    passing('GET /docs', 10);

    expect(passing('GET /console', 1)).toBe(1);
  });

  it('never lets more pass than the burst plus rate times elapsed time', () => {
    const steps = fc.array(fc.tuple(fc.nat(5_000), fc.nat(30)), { maxLength: 30 });

    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 1, max: 50 }),
        steps,
        (rate, burst, times) => {
          const { clock, passing } = openThrottle(rate, burst);
          const passed = times.reduce((sum, [ms, requests]) => {
            clock.now += ms;
            return sum + passing('GET /docs', requests);
          }, 0);

          expect(passed).toBeLessThanOrEqual(burst + (clock.now / 1_000) * rate);
        },
      ),
    );
  });
});
