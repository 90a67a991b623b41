import { defaultFunction, routes } from '../../../functions/routes.ts';
import type { LocalServer } from '../server.ts';
import type { SesAccountSimulation } from '../ses/account.ts';
import { changeLocalDomains } from '../ses/domains.ts';
import { type GatewayOptions, startGateway } from './gateway.ts';
import type { InboxPages } from './inbox-pages.ts';

type GatewayParts = Pick<GatewayOptions, 'port' | 'loadHandler' | 'receiveProviderEvent'> & {
  readonly report: GatewayOptions['reportFault'];
};

/** Requests that come before the service is ready wait. */
export const openGateway = (
  { port, loadHandler, receiveProviderEvent, report }: GatewayParts,
  toCome: Readonly<{
    ready: Promise<void>;
    pages: Promise<InboxPages>;
    account: Promise<SesAccountSimulation>;
  }>,
): Promise<LocalServer> =>
  startGateway({
    port,
    routes,
    defaultFunction,
    loadHandler: (name) => toCome.ready.then(() => loadHandler(name)),
    receiveProviderEvent: (event) => toCome.ready.then(() => receiveProviderEvent(event)),
    showLocalPage: async (path) => (await toCome.pages)(path),
    changeLocally: async (method, path, body) =>
      changeLocalDomains(await toCome.account, method, path, body),
    reportFault: report,
  });
