import { useLocation } from 'preact-iso/router';
import { Field, SearchForm } from '../shared/form.tsx';
import { Page } from '../shared/page.tsx';
import { Pager } from '../shared/pager.tsx';
import { addressWith } from '../shared/paging.ts';
import { Empty, Shown } from '../shared/states.tsx';
import { Badge, Foreign, Moment } from '../shared/text.tsx';
import { useCall } from '../shared/use-call.ts';
import { reasonWords } from '../suppressions/reasons.ts';

/** Everyone the organization has written to, by address. */
export function Contacts() {
  const { query, route } = useLocation();
  const { prefix, cursor } = query;
  const contacts = useCall('GET /api/v1/contacts', { query: { prefix, cursor } });
  return (
    <Page title="Contacts" lead="Everyone you’ve written to, by address.">
      <SearchForm
        key={prefix}
        onSearch={(typed) => route(addressWith('/console/contacts', { prefix: typed('prefix') }))}
      >
        <Field label="Address starts with" name="prefix" value={prefix} />
        <p class="buttons">
          <button type="submit" class="main">
            Search
          </button>
        </p>
      </SearchForm>
      <Shown of={contacts}>
        {({ data, nextCursor }) => (
          <>
            {data.length === 0 && (
              <Empty>
                {prefix
                  ? 'No address starts like this. Try fewer letters.'
                  : 'None yet. The first email to an address creates its contact.'}
              </Empty>
            )}
            <ul class="rows">
              {data.map(({ id, email, suppressedFor, createdAt }) => (
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
              ))}
            </ul>
            <Pager nextCursor={nextCursor} shown={data.length} more="More" />
          </>
        )}
      </Shown>
    </Page>
  );
}
