import { describe, expect, it } from 'vitest';
import { eachLimit, organizationLimits } from '#shared/config/organization-limits';
import {
  givenLimitsSchema,
  limitsInForce,
  limitValue,
  requireBelowLimit,
} from '#shared/organizations/limits-in-force';
import { serviceErrorOf } from '../../support/service-error.ts';

describe('the limits in force', () => {
  it("are the organization's own, else the deployment's, else the service's", () => {
    const limits = limitsInForce({ apiKeys: 5 }, { apiKeys: 50, templates: 60 });

    const found = [limits('apiKeys'), limits('templates'), limits('webhooks')];

    expect(found).toEqual([5, 60, organizationLimits.webhooks.default]);
  });

  it('leave the rate to SES, unless the operator sets one', () => {
    expect(limitsInForce(undefined, {})('sendsPerSecond')).toBeUndefined();
  });

  it('may have names of a later version beside them', () => {
    expect(givenLimitsSchema.parse({ apiKeys: 5, somethingNew: 1 })).toHaveProperty('apiKeys', 5);
  });

  it.each(Object.values(eachLimit((name) => name)))(
    'may be set from 1 up to the most there is: %s',
    (name) => {
      const { most } = organizationLimits[name];
      const isTaken = (value: unknown) => limitValue(name).safeParse(value).success;

      expect([0, 1, most, most + 1, 1.5].map(isTaken)).toEqual([false, true, true, false, false]);
    },
  );
});

describe('one thing more', () => {
  const limits = limitsInForce({ templates: 3 }, {});

  it('is allowed below the limit', () => {
    expect(() => requireBelowLimit('templates', 2, limits)).not.toThrow();
  });

  it('is refused at the limit, with who can change it', async () => {
    const error = await serviceErrorOf(async () => requireBelowLimit('templates', 3, limits));

    expect(error.code).toBe('too_many_templates');
    expect(error.message).toContain('limit of 3 templates');
    expect(error.message).toContain('ask the operator');
  });
});
