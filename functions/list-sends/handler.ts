import { serve } from '#shared/endpoints/serve';
import { listSends, withCauses } from '#shared/sends/list-sends';
import { openNamedSendsStore } from '#shared/sends/named-sends-store';
import { openOutcomeCauses } from '#shared/sends/outcome-cause';
import { openSendListStore } from '#shared/sends/send-list-store';
import { endpoint } from './endpoint.ts';

export const handler = serve(
  endpoint,
  { sends: openSendListStore, names: openNamedSendsStore, causes: openOutcomeCauses },
  async (request, { causes, ...reading }) => {
    const { sends, ...page } = await listSends(request, reading);
    return { data: await withCauses(sends, causes, reading.now()), ...page };
  },
);
