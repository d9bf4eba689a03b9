use sqlx::postgres::PgConnectOptions;
use sqlx::sqlite::SqliteArguments;
use sqlx::{Arguments, AssertSqlSafe, PgPool, Postgres, QueryBuilder, Row, SqlitePool};

#[derive(sqlx::Type)]
#[sqlx(type_name = "user_id")]
pub struct UserId(pub i64);

pub fn ids(rows: Vec<UserId>) -> impl sqlx::Type<Postgres> {
    rows
}

pub async fn sorted(pool: &PgPool, column: &str) -> sqlx::Result<Vec<String>> {
    let column = if column == "name" { "name" } else { "id" };
    let sql = format!("SELECT name FROM users ORDER BY {column}");
    let rows = sqlx::query(AssertSqlSafe(sql)).fetch_all(pool).await?;
    rows.iter().map(|row| row.try_get(0)).collect()
}

pub async fn search(pool: &PgPool, name: Option<&str>) -> sqlx::Result<Vec<(i64, String)>> {
    let mut query = QueryBuilder::<Postgres>::new("SELECT id, name FROM users");
    if let Some(name) = name {
        query.push(" WHERE name = ").push_bind(name);
    }
    query.build_query_as().fetch_all(pool).await
}

pub async fn count(pool: &SqlitePool, name: &str) -> sqlx::Result<i64> {
    let mut arguments = SqliteArguments::default();
    arguments.add(name.to_owned()).map_err(sqlx::Error::Encode)?;
    sqlx::query_scalar_with("SELECT count(*) FROM users WHERE name = ?", arguments).fetch_one(pool).await
}

pub fn options(application: &str) -> PgConnectOptions {
    PgConnectOptions::new().options([("application_name", application)])
}
