import {
  type ChangePreferencesDependencies,
  changePreferences,
} from '#shared/contacts/change-preferences';
import type { MailRecipient } from '#shared/contacts/mail-recipient';
import type { PreferencesChoice } from '#shared/pages/preferences-form';
import type { OrganizationId } from '#shared/tokens/resource-id';

export type SavePreferencesDependencies = ChangePreferencesDependencies & {
  readonly suppress: (id: OrganizationId, identity: string, now: number) => Promise<void>;
};

/** Stores the choice. Sending the form twice changes nothing more. */
export async function savePreferences(
  { organization, contact }: MailRecipient,
  choice: PreferencesChoice,
  dependencies: SavePreferencesDependencies,
): Promise<void> {
  switch (choice.kind) {
    case 'unsubscribeAll':
      return dependencies.suppress(organization.id, contact.email, dependencies.now());
    case 'resubscribe':
      return dependencies.savePreferences(
        contact.id,
        { subscriptions: {}, liftsUnsubscribe: true },
        dependencies.now(),
      );
    case 'save':
      await changePreferences(
        { contactId: contact.id, isProven: true },
        choice.changes,
        dependencies,
      );
  }
}
