import type { Command } from 'commander';
import type { OpenSession } from './session.ts';

type AddCommands = (group: Command, open: OpenSession) => void;

/** A group of commands. It is loaded when it is named: all of them take a second. */
export type Group = {
  readonly name: string;
  readonly description: string;
  load(): Promise<AddCommands>;
};

export const groups: readonly Group[] = [
  {
    name: 'organizations',
    description: 'The organizations of the deployment, with the operator secret',
    load: async () => (await import('./commands/organizations.ts')).addOrganizations,
  },
  {
    name: 'links',
    description: 'The tracked links of an organization, with the operator secret',
    load: async () => (await import('./commands/organizations.ts')).addLinks,
  },
  {
    name: 'domains',
    description: 'Whose a domain is, with the operator secret',
    load: async () => (await import('./commands/domains.ts')).addDomains,
  },
  {
    name: 'settings',
    description: 'What the organization of the key sets for itself',
    load: async () => (await import('./commands/settings.ts')).addSettings,
  },
  {
    name: 'keys',
    description: 'The API keys of the organization',
    load: async () => (await import('./commands/keys.ts')).addKeys,
  },
  {
    name: 'identity',
    description: 'The domain and address that the organization sends from',
    load: async () => (await import('./commands/identity.ts')).addIdentity,
  },
  {
    name: 'policies',
    description: 'The policies that a send may name',
    load: async () => (await import('./commands/policies.ts')).addPolicies,
  },
  {
    name: 'categories',
    description: 'What recipients may leave one by one',
    load: async () => (await import('./commands/categories.ts')).addCategories,
  },
  {
    name: 'sends',
    description: 'What was sent, and what became of it',
    load: async () => (await import('./commands/sends.ts')).addSends,
  },
  {
    name: 'recipients',
    description: 'What became of the emails to an address',
    load: async () => (await import('./commands/recipients.ts')).addRecipients,
  },
  {
    name: 'suppressions',
    description: 'Addresses that get no email, and why',
    load: async () => (await import('./commands/suppressions.ts')).addSuppressions,
  },
  {
    name: 'webhooks',
    description: 'Endpoints that hear of events',
    load: async () => (await import('./commands/webhooks.ts')).addWebhooks,
  },
  {
    name: 'audit',
    description: 'Who changed what, newest first',
    load: async () => (await import('./commands/audit.ts')).addAudit,
  },
  {
    name: 'console',
    description: 'The app that people use',
    load: async () => (await import('./commands/console.ts')).addConsole,
  },
  {
    name: 'signing-key',
    description: 'The key that signs the links of emails',
    load: async () => (await import('./commands/signing-key.ts')).addSigningKey,
  },
  {
    name: 'doctor',
    description: 'Whether all is well; each line says so, or what to do',
    load: async () => (await import('./commands/doctor.ts')).addDoctor,
  },
];
