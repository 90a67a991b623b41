import { serve } from '#shared/endpoints/serve';
import { openContacts } from '#shared/preferences/contacts';
import { endpoint } from './endpoint.ts';
import { getPreferences } from './get-preferences.ts';

export const handler = serve(endpoint, openContacts, getPreferences);
