import { useLocation } from 'preact-iso/router';
import { Field, SearchForm } from '../shared/form.tsx';
import { Page } from '../shared/page.tsx';
import { List } from '../shared/pager.tsx';
import { Badge, Foreign, Moment } from '../shared/text.tsx';
import { useCall } from '../shared/use-call.ts';
import { reasonWords } from '../suppressions/reasons.ts';

/** Everyone the organization has written to, by address. */
export function Contacts() {
  const { query } = useLocation();
  const { prefix, cursor } = query;
  const contacts = useCall('GET /api/v1/contacts', { query: { prefix, cursor } });
  return (
    <Page title="Contacts" lead="Everyone you’ve written to, by address.">
      <SearchForm texts={['prefix']} submit="Search">
        <Field label="Address starts with" name="prefix" value={prefix} />
      </SearchForm>
      <List
        of={contacts}
        empty={
          prefix
            ? 'No address starts like this. Try fewer letters.'
            : 'None yet. The first email to an address creates its contact.'
        }
        more="More"
      >
        {({ id, email, suppressedFor, createdAt }) => (
          <li key={id}>
            <a class="wide" href={`/console/addresses/${encodeURIComponent(email)}`}>
              <Foreign text={email} />
            </a>
            {suppressedFor.map((reason) => (
              <Badge key={reason} tone="warn">
                {reasonWords[reason]}
              </Badge>
            ))}
            <Moment at={createdAt} />
          </li>
        )}
      </List>
    </Page>
  );
}
