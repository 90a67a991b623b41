import { serve } from '#shared/endpoints/serve';
import { openContacts } from '#shared/preferences/contacts';
import { endpoint } from './endpoint.ts';
import { updatePreferences } from './update-preferences.ts';

export const handler = serve(endpoint, openContacts, updatePreferences);
