import { serve } from '#shared/endpoints/serve';
import { openNamedSendsStore } from '#shared/sends/named-sends-store';
import { openOutcomeCauses } from '#shared/sends/outcome-cause';
import { openSendListStore } from '#shared/sends/send-list-store';
import { toSendView } from '#shared/sends/send-view';
import { endpoint } from './endpoint.ts';
import { listSends } from './list-sends.ts';

export const handler = serve(
  endpoint,
  { sends: openSendListStore, names: openNamedSendsStore, causes: openOutcomeCauses },
  async (request, { causes, ...reading }) => {
    const { sends, ...page } = await listSends(request, reading);
    const at = reading.now();
    const causeOf = await causes.of(sends, at);
    return {
      data: sends.map((send) => ({ ...toSendView(send, at), cause: causeOf(send.id) })),
      ...page,
    };
  },
);
