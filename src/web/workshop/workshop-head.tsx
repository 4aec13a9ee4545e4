import ChevronLeft from 'lucide-react/icons/chevron-left';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Icon } from '../ui/images/icon.tsx';

type WorkshopHeadProps = {
  title: ReactNode;
  /** In front of the title. */
  picture?: ReactNode;
  /** One line of facts. */
  facts?: ReactNode;
  back?: { to: string; label: string };
  /** Actions of the page; at most one is primary. */
  children?: ReactNode;
};

/** Head of a page of Studio or Admin. */
export function WorkshopHead({ title, picture, facts, back, children }: WorkshopHeadProps) {
  return (
    <div className="page-head">
      {picture}
      <div className="page-head__title">
        {back && (
          <Link className="back" to={back.to}>
            <Icon of={ChevronLeft} size={16} />
            {back.label}
          </Link>
        )}
        <h1 className="wrap-anywhere" dir="auto">
          {title}
        </h1>
        {facts !== undefined && <div className="page-head__facts">{facts}</div>}
      </div>
      {children && <div className="page-head__acts">{children}</div>}
    </div>
  );
}
