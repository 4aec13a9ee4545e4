import type pg from 'pg';

/**
 * Checks whether the role of the connection may create and change the site's tables.
 * @returns one line with the remedy; undefined when nothing is missing
 */
export async function findMissingRights(pool: Pick<pg.Pool, 'query'>): Promise<string | undefined> {
  const { rows } = await pool.query<{
    role: string;
    database: string;
    mayCreate: boolean;
    owners: string[];
  }>(
    `select quote_ident(current_user) as role, quote_ident(current_database()) as database, 
       has_database_privilege(current_database(), 'create')
         and coalesce(has_schema_privilege(to_regnamespace('public'), 'create'), true) as "mayCreate",
       coalesce((select array_agg(distinct quote_ident(pg_get_userbyid(c.relowner))) from pg_class c
         where c.relnamespace = to_regnamespace('public') and c.relkind in ('r', 'p', 'S') and not pg_has_role(c.relowner, 'usage')
           and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')), '{}') as owners`,
  );
  const [facts] = rows;
  if (facts === undefined) return undefined;
  const { role, database, mayCreate, owners } = facts;
  const remedies = [
    ...(mayCreate ? [] : [`alter database ${database} owner to ${role}; alter schema public owner to ${role}`]),
    ...owners.map((owner) => `reassign owned by ${owner} to ${role}`),
  ];
  if (remedies.length === 0) return undefined;
  return `the role ${role} may not ${mayCreate ? 'change the tables of another owner' : 'make tables'} in the database ${database}; as a superuser in this database: ${remedies.join('; ')}`;
}
