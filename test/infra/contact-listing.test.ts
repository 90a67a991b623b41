import { describe, expect, it } from 'vitest';
import { contactKey, contactPartitions, organizationKey } from '#shared/table/keys';
import { sendKey } from '#shared/table/send-keys';
import { contactIdOf, newOrganizationId, slotIdOf } from '#shared/tokens/resource-id';
import { statementsOfRole } from './policy-statements.ts';
import { resourceAt, synthesiseStack } from './synthesised-stack.ts';

const stack = synthesiseStack();
const mapping = resourceAt(stack, 'ContactListing/Changes');

describe('the list of contacts', () => {
  it('is told of every change of a contact, from the oldest on, and of nothing else', () => {
    const pattern = JSON.stringify({ dynamodb: { Keys: { sk: { S: ['CONTACT'] } } } });

    expect(mapping.Properties).toMatchObject({
      FunctionName: { Ref: resourceAt(stack, 'Functions/index-contacts/Lambda').logicalId },
      StartingPosition: 'TRIM_HORIZON',
      FilterCriteria: { Filters: [{ Pattern: pattern }] },
    });
    expect(mapping.Properties['TumblingWindowInSeconds']).toBeUndefined();
  });

  it('goes on without a record that fails: a batch is split until it is alone', () => {
    expect(mapping.Properties).toMatchObject({ BisectBatchOnFunctionError: true });
  });

  it('may change contacts and no other item', () => {
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

describe('the pattern of contacts', () => {
  // IAM's `StringLike`: a star stands for any characters.
  const pattern = new RegExp(`^${contactPartitions.replaceAll('*', '.*')}$`);
  const organizationId = newOrganizationId();

  it('has those of contacts and no others', () => {
    const contact = contactKey(contactIdOf(organizationId, 'ann@example.com'));
    const others = [organizationKey(organizationId), sendKey(slotIdOf(organizationId, undefined))];

    expect(contact.pk).toMatch(pattern);
    for (const { pk } of others) expect(pk).not.toMatch(pattern);
  });
});
