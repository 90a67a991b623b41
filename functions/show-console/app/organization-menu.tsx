import { useContext } from 'preact/hooks';
import type { Answer } from '../../api.ts';
import { toast } from './parts/announce.tsx';
import { Glyph } from './parts/glyph.tsx';
import { useMenu } from './parts/menu.ts';
import { Foreign } from './parts/text.tsx';
import { capitalized } from './shared/format.ts';
import { mayLeave } from './shared/leaving.ts';
import { type Session, SessionContext, switchOrganization } from './shared/session.ts';
import { toFailure, useCall } from './shared/use-call.ts';

/** The organization's name, which opens a menu for those who are in several. */
export const OrganizationMenu = ({ session }: { session: Session }) =>
  session.person ? <OfPerson session={session} /> : <Name session={session} />;

const Name = ({ session: { organization } }: { session: Session }) => (
  <span class="name">
    <Foreign text={organization.name} most={60} />
  </span>
);

/** Without an answer, there's only the name: nobody should have to see a failure for it. */
function OfPerson({ session }: { session: Session }) {
  const { value } = useCall('GET /console/organizations', {});
  const all = value?.data ?? [];
  return all.length > 1 ? <Menu session={session} all={all} /> : <Name session={session} />;
}

type Own = Answer<'GET /console/organizations'>['data'][number];

function Menu({ session, all }: { session: Session; all: readonly Own[] }) {
  const { isOpen, setOpen, element, id } = useMenu<HTMLDivElement>();
  const { reload } = useContext(SessionContext);
  const choose = async ({ id: chosen, isCurrent }: Own) => {
    setOpen(false);
    if (isCurrent || !(await mayLeave())) return;
    try {
      await switchOrganization(chosen);
      await reload();
    } catch (error) {
      toast(toFailure(error).message);
    }
  };
  return (
    <div class="switcher" ref={element}>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label={`${session.organization.name}, switch organization`}
        onClick={() => setOpen(!isOpen)}
      >
        <Name session={session} />
        <Glyph of="chevron" />
      </button>
      <ul id={id} class="items" aria-label="Your organizations" hidden={!isOpen}>
        {all.map((one) => (
          <li key={one.id}>
            <button
              type="button"
              aria-current={one.isCurrent || undefined}
              onClick={() => void choose(one)}
            >
              <span class="name">
                <Foreign text={one.name} most={60} />
              </span>
              <small>{capitalized(one.role)}</small>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
