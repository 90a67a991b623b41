import { describe, expect, it } from 'vitest';
import { contactKey, contactPartitions, organizationKey } from '#shared/table/keys';
import { sendKey } from '#shared/table/send-keys';
import { contactIdOf, newOrganizationId, slotIdOf } from '#shared/tokens/resource-id';
import { statementsOfRole } from './policy-statements.ts';
import { resourceAt, synthesiseStack } from './synthesised-stack.ts';

const stack = synthesiseStack();
const mapping = resourceAt(stack, 'ContactListing/Changes');

describe('the contact list function', () => {
  it('gets every change to a contact, from the oldest on, and nothing else', () => {
    const pattern = JSON.stringify({ dynamodb: { Keys: { sk: { S: ['CONTACT'] } } } });

    expect(mapping.Properties).toMatchObject({
      FunctionName: { Ref: resourceAt(stack, 'Functions/index-contacts/Lambda').logicalId },
      StartingPosition: 'TRIM_HORIZON',
      FilterCriteria: { Filters: [{ Pattern: pattern }] },
    });
    expect(mapping.Properties['TumblingWindowInSeconds']).toBeUndefined();
  });

  it('continues past a failing record by splitting its batch', () => {
    expect(mapping.Properties).toMatchObject({ BisectBatchOnFunctionError: true });
  });

  it('may write only contacts', () => {
    const [statement, ...others] = statementsOfRole(stack, 'index-contacts').filter(({ Action }) =>
      Action.includes('dynamodb:UpdateItem'),
    );

    expect(others).toEqual([]);
    expect(statement).toMatchObject({
      Action: ['dynamodb:UpdateItem'],
      Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [contactPartitions] } },
    });
  });
});

describe('the pattern for contacts', () => {
  // IAM's `StringLike`: a star stands for any characters.
  const pattern = new RegExp(`^${contactPartitions.replaceAll('*', '.*')}$`);
  const organizationId = newOrganizationId();

  it('matches only contacts', () => {
    const contact = contactKey(contactIdOf(organizationId, 'ann@example.com'));
    const others = [organizationKey(organizationId), sendKey(slotIdOf(organizationId, undefined))];

    expect(contact.pk).toMatch(pattern);
    for (const { pk } of others) expect(pk).not.toMatch(pattern);
  });
});
