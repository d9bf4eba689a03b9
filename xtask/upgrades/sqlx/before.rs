use sqlx::postgres::{PgConnectOptions, PgHasArrayType, PgTypeInfo};
use sqlx::sqlite::SqliteArguments;
use sqlx::{Arguments, PgPool, Postgres, Row, SqlitePool};

#[derive(sqlx::Type)]
#[sqlx(type_name = "user_id")]
pub struct UserId(pub i64);

impl PgHasArrayType for UserId {
    fn array_type_info() -> PgTypeInfo {
        PgTypeInfo::with_name("_user_id")
    }
}

pub async fn sorted(pool: &PgPool, column: &str) -> sqlx::Result<Vec<String>> {
    let column = if column == "name" { "name" } else { "id" };
    let sql = format!("SELECT name FROM users ORDER BY {column}");
    let rows = sqlx::query(&sql).fetch_all(pool).await?;
    rows.iter().map(|row| row.try_get(0)).collect()
}

pub async fn search(pool: &PgPool, name: Option<&str>) -> sqlx::Result<Vec<(i64, String)>> {
    let mut sql = "SELECT id, name FROM users".to_owned();
    if name.is_some() {
        sql.push_str(" WHERE name = $1");
    }
    let query = sqlx::query_as::<Postgres, (i64, String)>(&sql);
    if let Some(name) = name { query.bind(name) } else { query }.fetch_all(pool).await
}

pub async fn count(pool: &SqlitePool, name: &str) -> sqlx::Result<i64> {
    let mut arguments = SqliteArguments::default();
    arguments.add(name).map_err(sqlx::Error::Encode)?;
    sqlx::query_scalar_with("SELECT count(*) FROM users WHERE name = ?", arguments).fetch_one(pool).await
}

pub fn options(application: &str) -> PgConnectOptions {
    let escaped = application.replace('\\', "\\\\").replace(' ', "\\ ");
    PgConnectOptions::new().options([("application_name", escaped)])
}
