import { contactEnvironment, parseEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { openContacts } from '#shared/preferences/contacts';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { getPreferences } from './get-preferences.ts';

const environment = parseEnvironment(contactEnvironment);
const contacts = openContacts(environment, openTable(environment.TABLE_NAME));

export const handler = serve(endpoint, contacts, getPreferences);
