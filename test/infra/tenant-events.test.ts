import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { asText } from './resolve-intrinsics.ts';
import {
  functionPath,
  resourcesOfType,
  synthesiseStack,
  synthesiseWithTenants,
} from './synthesised-stack.ts';

const ruleShape = z.object({
  EventPattern: z.object({ resources: z.array(z.object({ prefix: z.unknown() })) }),
  Targets: z.array(z.object({ Arn: z.unknown() })),
});

const withTenants = synthesiseWithTenants();

describe('SES tenant events', () => {
  it("reach check-tenant when SES pauses or resumes an organization's tenant", () => {
    const [rule, ...others] = resourcesOfType(withTenants, 'AWS::Events::Rule');

    expect(others).toEqual([]);
    expect(rule?.Properties).toMatchObject({
      EventPattern: {
        source: ['aws.ses'],
        'detail-type': ['Sending Status Enabled', 'Sending Status Disabled'],
      },
      State: 'ENABLED',
    });
    const { EventPattern, Targets } = ruleShape.parse(rule?.Properties);
    expect(EventPattern.resources.map(({ prefix }) => asText(withTenants, prefix))).toEqual([
      'arn:{AWS::Partition}:ses:{AWS::Region}:{AWS::AccountId}:tenant/org_',
    ]);
    expect(Targets.map(({ Arn }) => asText(withTenants, Arn))).toEqual([
      functionPath('check-tenant', 'Lambda'),
    ]);
  });

  it('can be delivered only by that rule', () => {
    const permissions = resourcesOfType(withTenants, 'AWS::Lambda::Permission').filter(
      ({ Properties }) => Properties['Principal'] === 'events.amazonaws.com',
    );

    expect(permissions).toHaveLength(1);
    expect(permissions[0]?.Properties['SourceArn']).toBeDefined();
  });

  it('are retried, and ring an alarm when one fails for good', () => {
    const invoke = resourcesOfType(withTenants, 'AWS::Lambda::EventInvokeConfig').filter(
      ({ Properties }) => JSON.stringify(Properties).includes('checktenant'),
    );
    const alarms = resourcesOfType(withTenants, 'AWS::CloudWatch::Alarm').filter(({ path }) =>
      path.startsWith('TenantEvents'),
    );

    expect(invoke).toMatchObject([{ Properties: { MaximumRetryAttempts: 2 } }]);
    expect(alarms).toMatchObject([{ Properties: { Threshold: 3 } }]);
  });

  it("aren't subscribed to without sesTenants", () => {
    const rules = resourcesOfType(synthesiseStack(), 'AWS::Events::Rule');

    expect(rules).toEqual([]);
  });
});
