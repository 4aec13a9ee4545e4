import { t } from '@lingui/core/macro';
import { type ReactNode, createContext, use, useState } from 'react';
import { useRevalidator } from 'react-router';
import { type Answer, answerOf, api } from '../../api.ts';
import { Dialog } from '../../ui/layers/dialog.tsx';
import { useToast } from '../../ui/layers/toast.tsx';
import { type KnownFactors, factorsOf, ProofForm } from './proof-form.tsx';

type Act = <Data>(call: () => Promise<Answer<Data>>) => Promise<Answer<Data> | undefined>;

const StepUpContext = createContext<Act | undefined>(undefined);

type Asked = { factors: KnownFactors; settle: (isProven: boolean) => void };

const needsProof = new Set(['auth/fresh-login-required', 'auth/second-factor-required']);

/** Asks the operator to confirm their identity when the site requires it, then repeats the call. */
export function StepUpProvider({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<Asked>();
  const showToast = useToast();
  const { revalidate } = useRevalidator();

  async function askNow(): Promise<boolean> {
    const found = await answerOf(api.admin['second-factor'].$get());
    if (!found.ok) {
      showToast({ text: found.message });
      return false;
    }
    return new Promise((resolve) => setAsked({ factors: factorsOf(found.data), settle: resolve }));
  }

  const act: Act = async (call) => {
    const answer = await call();
    if (answer.ok || !needsProof.has(answer.code)) return answer;
    if (!(await askNow())) return undefined;
    void revalidate();
    return call();
  };

  function settle(isProven: boolean): void {
    asked?.settle(isProven);
    setAsked(undefined);
  }

  return (
    <StepUpContext value={act}>
      {children}
      <Dialog
        open={asked !== undefined}
        onClose={() => settle(false)}
        title={t`Confirm your identity`}
        description={t`For this, Admin asks again ten minutes after your last confirmation.`}
        dismissedBy="button"
      >
        {asked && (
          <div className="mt-5">
            <ProofForm factors={asked.factors} onProven={() => settle(true)} />
          </div>
        )}
      </Dialog>
    </StepUpContext>
  );
}

/** @returns makes a call of Admin; undefined when the user did not confirm their identity */
export function useAdminAct(): Act {
  const act = use(StepUpContext);
  if (act === undefined) throw new Error('useAdminAct needs a StepUpProvider around it');
  return act;
}
