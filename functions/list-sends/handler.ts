import { openAuthentication } from '#shared/access/authenticate';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { openNamedSendsStore } from '#shared/sends/named-sends-store';
import { openOutcomeCauses } from '#shared/sends/outcome-cause';
import { openSendListStore } from '#shared/sends/send-list-store';
import { toSendView } from '#shared/sends/send-view';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { listSends } from './list-sends.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const reading = {
  ...openAuthentication(table),
  sends: openSendListStore(table),
  names: openNamedSendsStore(table),
  causes: openOutcomeCauses(table),
};

export const handler = serve(endpoint, reading, async (request, { now }) => {
  const { sends, ...page } = await listSends(request, reading);
  const at = now();
  const causeOf = await reading.causes.of(sends, at);
  return {
    data: sends.map((send) => ({ ...toSendView(send, at), cause: causeOf(send.id) })),
    ...page,
  };
});
