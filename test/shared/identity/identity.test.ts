import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterVerdict,
  givenUpAfterMs,
  type Identity,
  pauseAfter,
  type SendingIdentity,
  sendingAfter,
  withWanted,
} from '#shared/identity/identity';
import {
  withoutRemoved,
  withoutReplacement,
  withoutWanted,
} from '#shared/identity/unwanted-identity';
import { newOrganizationId } from '#shared/tokens/resource-id';

const organizationId = newOrganizationId();
const start = 1_750_000_000_000;

/** What happens to an organization's identity, one event after another. */
const domains = fc.constantFrom('one.example', 'two.example', 'three.example');
const steps = fc.array(
  fc.oneof(
    fc.record({ does: fc.constant('set' as const), domain: domains }),
    fc.record({ does: fc.constant('delete' as const) }),
    fc.record({ does: fc.constant('delete a replacement' as const) }),
    fc.record({
      does: fc.constant('verdict' as const),
      status: fc.constantFrom('pending' as const, 'active' as const, 'failed' as const),
    }),
    fc.record({ does: fc.constant('remove' as const) }),
    fc.record({
      does: fc.constant('wait' as const),
      ms: fc.integer({ min: 0, max: 2 * givenUpAfterMs }),
    }),
  ),
  // fast-check stops at size ten by default: few runs would use a domain, replace it and delete both.
  { maxLength: 30, size: 'max' },
);

type World = {
  identity: Identity | undefined;
  sending: SendingIdentity | undefined;
  /** What the organization holds: its claims, as the stores keep them. */
  claims: Set<string>;
  now: number;
};

type Step = typeof steps extends fc.Arbitrary<readonly (infer One)[]> ? One : never;

/** One step, as the operations make it. */
function take(world: World, step: Step): World {
  const { identity, sending, now } = world;
  const claims = new Set(world.claims);
  switch (step.does) {
    case 'wait':
      return { ...world, now: now + step.ms };
    case 'set': {
      if (identity?.removing.includes(step.domain)) return world;
      const request = {
        domain: step.domain,
        fromEmail: `x@${step.domain}`,
        mailFromDomain: `bounces.${step.domain}`,
      };
      const after = withWanted(identity, request, { organizationId, sending }, now);
      claims.add(step.domain);
      const changed = after.wanted && sendingAfter(after.wanted, sending);
      return { ...world, identity: after, sending: changed ?? sending, claims };
    }
    case 'delete':
      if (identity === undefined) return world;
      return { ...world, identity: withoutWanted(identity, sending, now), sending: undefined };
    case 'delete a replacement': {
      if (sending?.status !== 'active' || identity?.wanted === undefined) return world;
      if (identity.wanted.domain === sending.domain) return world;
      const used = { ...sending, mailFromDomain: `bounces.${sending.domain}`, createdAt: start };
      return { ...world, identity: withoutReplacement(identity, used, now) };
    }
    case 'verdict': {
      const wanted = identity?.wanted;
      if (identity === undefined || wanted === undefined) return world;
      if (identity.removing.includes(wanted.domain) || identity.nextCheckAt === undefined)
        return world;
      const after = afterVerdict({ ...identity, wanted }, { status: step.status }, sending, now);
      return { ...world, identity: after, sending: sendingAfter(after.wanted, sending) ?? sending };
    }
    case 'remove': {
      const [domain] = identity?.removing ?? [];
      if (identity === undefined || domain === undefined) return world;
      claims.delete(domain);
      return { ...world, identity: withoutRemoved(identity, domain, now), claims };
    }
  }
}

const nothing: World = { identity: undefined, sending: undefined, claims: new Set(), now: start };

/** Checks the world after each step. */
const afterEachStep = (check: (after: World, before: World) => void) =>
  fc.assert(
    fc.property(steps, (taken) => {
      taken.reduce((before, step) => {
        const after = take(before, step);
        check(after, before);
        return after;
      }, nothing);
    }),
  );

describe("an organization's identity", () => {
  it("never sends from a domain that the organization doesn't hold", () => {
    afterEachStep(({ sending, claims }) => {
      if (sending !== undefined) expect(claims).toContain(sending.domain);
    });
  });

  it("holds no domain that it doesn't want, use or plan to remove", () => {
    afterEachStep(({ identity, sending, claims }) => {
      const known = [
        ...(identity?.removing ?? []),
        ...(identity?.wanted ? [identity.wanted.domain] : []),
        ...(sending ? [sending.domain] : []),
      ];

      for (const domain of claims) expect(known).toContain(domain);
    });
  });

  it('is checked again while it may become active or something is to be removed', () => {
    afterEachStep(({ identity }) => {
      const { removing = [], wanted, nextCheckAt } = identity ?? {};
      const isUnfinished = removing.length > 0 || wanted?.status === 'pending';
      if (isUnfinished) expect(nextCheckAt).toBeDefined();
    });
  });

  it("removes nothing that's in use", () => {
    afterEachStep(({ identity, sending }) => {
      if (sending?.status === 'active') expect(identity?.removing).not.toContain(sending.domain);
    });
  });

  it('gets a new version with each change, even when the clock stands still', () => {
    afterEachStep(({ identity }, { identity: former }) => {
      if (former === undefined || identity === undefined || identity === former) return;
      expect(identity.updatedAt).toBeGreaterThan(former.updatedAt);
    });
  });
});

describe('the pause before the next check', () => {
  it('grows with the time waited, from a minute to six hours', () => {
    fc.assert(
      fc.property(fc.nat(30 * 86_400_000), fc.nat(86_400_000), (waited, more) => {
        expect(pauseAfter(waited + more)).toBeGreaterThanOrEqual(pauseAfter(waited));
      }),
    );
    expect(pauseAfter(0)).toBe(60_000);
    expect(pauseAfter(givenUpAfterMs)).toBe(6 * 3_600_000);
  });
});
