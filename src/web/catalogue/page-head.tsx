export function PageHead({ title, text }: { title: string; text?: string | undefined }) {
  return (
    <>
      <h1 className="text-60 pt-6">{title}</h1>
      {text && <p className="mt-2 text-muted">{text}</p>}
    </>
  );
}
