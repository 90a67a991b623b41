import { expect, it } from 'vitest';
import { suppressionViewSchema, toSuppressionView } from '#shared/suppressions/suppression-view';
import { newOrganizationId } from '#shared/tokens/resource-id';
import { buildSuppression } from '../../support/suppression-stores.ts';

it('shows the suppression of an erased person with null for the address', () => {
  const { email, ...erased } = buildSuppression(newOrganizationId());

  const view = toSuppressionView(erased);

  expect(view.email).toBeNull();
  expect(suppressionViewSchema.safeParse(view).success).toBe(true);
});
