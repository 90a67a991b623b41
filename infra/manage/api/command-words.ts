import type { Route } from '../../../functions/api.ts';

/** The service's own words name requests; people at the command line type commands. */
export const inCommands = (words: string): string =>
  words
    .replaceAll(/`([A-Z]+ \/[^`]+)`/g, (named, route: string) =>
      Object.hasOwn(commandsOf, route) ? `\`${commandsOf[route]}\`` : named,
    )
    .replaceAll(
      /PATCH `?\{"enabled": (true|false)\}`?/g,
      (_, value) => `\`webhooks update … --enabled ${value === 'true' ? 'on' : 'off'}\``,
    )
    .replaceAll('PATCH `{"paused": false}`', '`webhooks resume`');

const commandsOf: Readonly<Record<string, string>> = {
  'GET /api/v1/policies': 'policies list',
  'GET /api/v1/domains': 'domains list',
  'POST /api/v1/domains': 'domains add',
  'GET /api/v1/domains/{domain}': 'domains show',
  'PATCH /api/v1/domains/{domain}': 'domains default',
  'PUT /api/v1/organization/identity': 'identity set',
  'PATCH /api/v1/organization': 'settings update',
  'GET /api/v1/domain-claims': 'domain-claims list',
  'GET /api/v1/sends/{id}': 'sends show',
  'GET /api/v1/notice-targets': 'notices list',
  'POST /api/v1/webhooks/deliveries/{id}/redeliver': 'webhooks redeliver',
  'POST /api/v1/webhooks/{id}/retry-waiting': 'webhooks retry-waiting',
} satisfies Partial<Record<Route, string>>;
