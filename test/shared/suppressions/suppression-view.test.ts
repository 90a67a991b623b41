import { expect, it } from 'vitest';
import { suppressionViewSchema, toSuppressionView } from '#shared/suppressions/suppression-view';
import { contactIdOf, newOrganizationId } from '#shared/tokens/resource-id';

it('shows the suppression of an erased person with null for the address', () => {
  const contactId = contactIdOf(newOrganizationId(), 'ann@example.com');

  const view = toSuppressionView({ contactId, reason: 'bounce', at: 1_000 });

  expect(view.email).toBeNull();
  expect(suppressionViewSchema.safeParse(view).success).toBe(true);
});
